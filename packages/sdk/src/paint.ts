// Waits until the page has painted what it shows now: a host that uncovers the frame earlier shows the picture
// before for a moment. Contract §11; security V40.

export interface DrawnPage {
  requestAnimationFrame(callback: (time: number) => void): number
}

/** For a page that is drawn nowhere, such as that of a Worker app or of a tab behind another. */
const PAINT_LIMIT_MS = 500

/** The second frame begins after the first one was painted. */
export const waitForPaint = (page: DrawnPage): Promise<unknown> =>
  new Promise<unknown>((resolve) => {
    setTimeout(resolve, PAINT_LIMIT_MS)
    page.requestAnimationFrame(() => page.requestAnimationFrame(resolve))
  })
