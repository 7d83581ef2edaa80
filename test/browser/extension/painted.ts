// What a person sees in a page of the browser, picture by picture, while something happens: the share of dark
// pixels in parts of each picture that was painted. Asserts nothing.
import type { Page } from 'playwright-core'

/** In the coordinates of the page. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Painted {
  /** By the clock of this computer. */
  readonly at: number
  /** From 0 to 1, of each area. */
  readonly dark: readonly number[]
}

/** In `reader`, a page without a policy of its own, the pictures are read. */
export async function recordPainted(
  page: Page,
  reader: Page,
  areas: readonly Area[],
  happen: () => Promise<void>,
): Promise<Painted[]> {
  const cdp = await page.context().newCDPSession(page)
  const pictures: { at: number; width: number; data: string }[] = []
  cdp.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    const { timestamp = 0, deviceWidth: width } = metadata
    pictures.push({ at: timestamp * 1000, width, data })
    cdp.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  await cdp.send('Page.startScreencast', { format: 'jpeg', quality: 60, everyNthFrame: 1 })
  await happen()
  await cdp.send('Page.stopScreencast')
  await cdp.detach()
  const dark = await reader.evaluate(readPictures, { pictures, areas })
  return pictures.map(({ at }, index) => ({ at, dark: dark[index] ?? [] }))
}

async function readPictures(input: {
  pictures: { width: number; data: string }[]
  areas: readonly Area[]
}): Promise<number[][]> {
  const shares: number[][] = []
  for (const { width, data } of input.pictures) {
    const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    context?.drawImage(bitmap, 0, 0)
    const scale = bitmap.width / width
    shares.push(
      input.areas.map((area) => {
        const [x, y, w, h] = [area.x, area.y, area.width, area.height].map((one) =>
          Math.round(one * scale),
        ) as [number, number, number, number]
        const pixels = context?.getImageData(x, y, w, h).data ?? []
        let count = 0
        for (let at = 0; at < pixels.length; at += 4) {
          if (Math.max(pixels[at] ?? 255, pixels[at + 1] ?? 255, pixels[at + 2] ?? 255) < 100)
            count++
        }
        return (count * 4) / pixels.length
      }),
    )
  }
  return shares
}
