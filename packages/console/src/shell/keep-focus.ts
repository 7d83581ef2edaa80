// Where the focus goes when the element that has it is taken away, as the row of a retired secret: to the launch that
// is open beside its list, else to the title of the page, also when that comes later. Otherwise a person at the
// keyboard would begin at the top of the document again.

let last: Element | undefined

/** Keeps the focus; the shell calls it once. */
export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof Element ? target : undefined
  })
  document.addEventListener('focusout', ({ target }) => {
    // An element that is taken away is left, too; one that stays was left by the person.
    queueMicrotask(() => {
      if (target === last && last?.isConnected) last = undefined
    })
  })
  new MutationObserver(() => {
    if (!last || last.isConnected || document.activeElement !== document.body) return
    const home =
      document.querySelector<HTMLElement>('[data-pane]') ??
      document.querySelector<HTMLElement>('[data-page-title]')
    if (!home) return
    last = undefined
    home.focus({ preventScroll: true })
  }).observe(document.body, { childList: true, subtree: true })
}
