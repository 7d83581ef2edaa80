// The types of pinned-node.mjs, which is plain JavaScript because any Node.js reads it. Holds no rule;
// the file beside it says what each is.
export const PLATFORM: string
export const NODE_PACKAGE: string
export function pinnedVersion(): string
