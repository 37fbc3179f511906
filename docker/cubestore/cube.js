// Configuration of the official Cube: the project's model as it is, but for where its rollup is kept.
const { readdirSync, readFileSync } = require('node:fs');

const MODEL = '/cube/conf/model';

module.exports = {
  repositoryFactory: () => ({
    dataSchemaFiles: async () =>
      readdirSync(MODEL).map((fileName) => ({
        fileName,
        content: readFileSync(`${MODEL}/${fileName}`, 'utf8').replaceAll('external: false', 'external: true'),
      })),
  }),
};
