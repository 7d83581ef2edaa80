// The SDK's own version, as in its package.json (a test compares them).

export const version = '1.0.0'
