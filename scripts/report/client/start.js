/** Starts a page's own script, which it carries compressed. */
import { run } from './unpack.js';

run('script');
