// Copies a text for a person who pressed a button for it. The browser allows it in that press without
// a permission.

export const copyText = (text: string): Promise<void> => navigator.clipboard.writeText(text)
