// The SDK's own version, as in its package.json (a test compares them). It goes out with every
// hello and shows as `sdk.version`. Contract §5.

export const version = '1.0.0'
