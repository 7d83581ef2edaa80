// What is typed while the palette is on its way: the keys go neither to the page behind nor into nothing, they are the
// first text of the palette.

/** Takes the keys from now on; the result ends that and gives what was typed. */
export function takeKeys(): () => string {
  const typed: string[] = []
  const take = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, isComposing } = event
    if (isComposing || metaKey || (ctrlKey && !event.getModifierState('AltGraph'))) return
    event.preventDefault()
    event.stopPropagation()
    if (key === 'Backspace') typed.pop()
    else if ([...key].length === 1) typed.push(key)
  }
  addEventListener('keydown', take, { capture: true })
  return () => {
    removeEventListener('keydown', take, { capture: true })
    return typed.join('')
  }
}
