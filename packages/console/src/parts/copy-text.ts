// How the parts of @chartside/ui copy: they do no I/O and are given this function. A page that may not
// use the clipboard rejects, and the part says so.

export const copyText = (text: string): Promise<void> => navigator.clipboard.writeText(text)
