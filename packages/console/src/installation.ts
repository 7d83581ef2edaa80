// What the document says of the installation: the path below which it is served, and its environment.
// Read once; a test may set the attributes before it loads the script.

export type Environment = 'development' | 'staging' | 'production'

const { environment = 'production', base = '', origin = '' } = document.documentElement.dataset

export const ENVIRONMENT = environment as Environment

/** Empty, or a path without a final slash. */
export const BASE = base

/** The console's own addresses begin with it. */
export const CONSOLE_PATH = `${base}/console`

/** The only origin at which the session cookie counts; `localhost` is another one than `127.0.0.1`. */
export const ORIGIN = origin
