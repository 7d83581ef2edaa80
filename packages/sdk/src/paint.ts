// Waits until the page has painted what it shows now: a host that uncovers the frame earlier shows the picture
// before for a moment. Contract §11; security V40.

export interface DrawnPage {
  /** The width is 0 where nothing is painted, such as the frame of a Worker app. */
  readonly innerWidth?: number
  /** A page of a test, such as jsdom's, may have none. */
  requestAnimationFrame?(callback: (time: number) => void): number
}

/** The longest wait in a page of which nothing is seen at present. */
const PAINT_LIMIT_MS = 500

/** The second frame begins after the first one was painted. */
export const waitForPaint = (page: DrawnPage): Promise<unknown> =>
  new Promise<unknown>((resolve) => {
    setTimeout(resolve, page.innerWidth && PAINT_LIMIT_MS)
    page.requestAnimationFrame?.(() => page.requestAnimationFrame?.(resolve))
  })
