// The types of built.mjs for what is TypeScript.
export function isBuilt(): boolean
