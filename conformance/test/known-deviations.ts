// What docs/inside/spec/decisions.md decides and marks as not built yet, and the module that finds it. A
// line goes as soon as the service does what the decision says.

export const KNOWN_DEVIATIONS: Readonly<Record<string, string>> = {}
