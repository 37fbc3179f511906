/** A fault of the user or the machine, told in one line: the message says what to do, exitCode is 64 (usage) or 2. */
export class Fault extends Error {
  constructor(exitCode, message) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Runs a program: a Fault becomes one line on stderr and its exit code; anything else is a bug and keeps its stack. */
export async function run(program) {
  try {
    await program();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    console.error(`error: ${error.message}`);
    process.exit(error.exitCode);
  }
}
