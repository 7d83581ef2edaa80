export function writeTable(): void {}
