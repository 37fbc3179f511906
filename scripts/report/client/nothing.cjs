/** In place of the parts of the chart library that no chart uses. */
module.exports = {};
