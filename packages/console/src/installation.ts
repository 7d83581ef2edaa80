// What the document says of the installation: the path below which it is served, its environment, and whether it
// serves its documentation. Read once; a test may set the attributes before it loads the script.

export type Environment = 'development' | 'staging' | 'production'

const {
  environment = 'production',
  base = '',
  origin = '',
  docs = 'off',
} = document.documentElement.dataset

export const ENVIRONMENT = environment as Environment

/** The base path is empty, or without a final slash. */
export const BASE = base

/** The console's own addresses begin with it. */
export const CONSOLE_PATH = `${base}/console`

/** The only origin at which the session cookie counts; `localhost` is another one than `127.0.0.1`. */
export const ORIGIN = origin

/** A page of the documentation, such as `build/going-live`; undefined where it is not served. */
export const guideAddress = (page: string): string | undefined =>
  docs === 'on' ? `${base}/docs/${page}` : undefined
