// The EHR in its frame, as the extension sees a tab: its address and nothing else. Says when the address has
// changed, by a navigation, by pushState or in the fragment. Contract §11.

export interface ChartFrame {
  /** The address of the page in the frame. */
  readonly address: string
  open(path: string): void
  close(): void
}

export function createChartFrame(
  frame: HTMLIFrameElement,
  onAddress: (address: string) => void,
): ChartFrame {
  const read = () => frame.contentWindow?.location.href ?? 'about:blank'
  let last = ''
  const report = (): void => {
    if (frame.hidden || read() === last) return
    last = read()
    onAddress(last)
  }
  frame.addEventListener('load', () => {
    frame.contentWindow?.navigation.addEventListener('currententrychange', report)
    report()
  })
  return {
    get address() {
      return read()
    },
    open: (path) => {
      frame.hidden = false
      // In place of about:blank: "Back" leaves the page.
      frame.contentWindow?.location.replace(path)
    },
    close: () => {
      frame.hidden = true
      last = ''
      frame.contentWindow?.location.replace('about:blank')
    },
  }
}
