/** An error that the request is to blame for. */
export function refusal(statusCode, code, message) {
  return Object.assign(new Error(message), { statusCode, code });
}

export const unknownCollection = () => refusal(404, 'UNKNOWN_COLLECTION', 'there is no such collection');
export const unknownDocument = () => refusal(404, 'UNKNOWN_DOCUMENT', 'there is no document with this id');

const UNDEFINED_TABLE = '42P01';

/** True when a statement failed because the collection is not there. */
export const isUnknownCollection = (error) => error.code === UNDEFINED_TABLE;

/** True when two created the same thing at once, and the other one was first. */
export const isAlreadyThere = (error) => error.code === '23505' || error.code === '42P07';

// SQLSTATE classes that blame the value: 22 (not to be stored as jsonb, out of range), 54 (too deep, too large for an index).
const VALUE = /^(22|54)/;

/** What the database said, as the error that the client gets; our statements are right, so a bad value is the request's. */
export function translated(error) {
  if (isUnknownCollection(error)) return unknownCollection();
  if (VALUE.test(error.code))
    return refusal(400, 'UNFIT_VALUE', `the database cannot take this value: ${error.message}`);
  return error;
}
