// Zag's combobox for a field that keeps every key. The machine would write its own copy of the text into the field
// after the next paint: what was typed meanwhile would be lost. Here the text is a signal, and goes into the field
// before the next key, and only when the page has changed it.
import type { Signal } from '@preact/signals'
import * as combobox from '@zag-js/combobox'
import { normalizeProps, useMachine } from '@zag-js/preact'
import { useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks'

const MACHINE: typeof combobox.machine = {
  ...combobox.machine,
  implementations: {
    ...combobox.machine.implementations,
    actions: { ...combobox.machine.implementations?.actions, syncInputValue() {} },
  },
}

type Props<T> = Omit<combobox.Props<T>, 'collection' | 'id' | 'inputValue'>
type Options<T> = { [Name in keyof Props<T>]?: Exclude<Props<T>[Name], undefined> }

export function useCombobox<T extends { readonly id: string }>(
  text: Signal<string>,
  items: readonly T[],
  nameOf: (item: T) => string,
  options: Options<T>,
) {
  const field = useRef<HTMLInputElement>(null)
  const collection = useMemo(
    () =>
      combobox.collection({
        items: [...items],
        itemToValue: ({ id }) => id,
        itemToString: nameOf,
      }),
    [items.map((item) => `${item.id} ${nameOf(item)}`).join('\n')],
  )
  const service = useMachine(MACHINE as combobox.Machine<T>, {
    id: useId(),
    inputBehavior: 'autohighlight',
    loopFocus: true,
    // The address of the page is the router's work.
    navigate: null,
    ...options,
    collection,
    inputValue: text.value,
    onInputValueChange(change) {
      text.value = change.inputValue
      options.onInputValueChange?.(change)
    },
  })
  useLayoutEffect(() => {
    if (field.current && field.current.value !== text.value) field.current.value = text.value
  }, [text.value])
  return { api: combobox.connect(service, normalizeProps), field }
}
