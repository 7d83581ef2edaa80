// The words over an app that another chart covers, for the person: panel and sandbox say the same. The
// one place of these words. Contract §11.
import type { ChartView } from './events.ts'

export interface ChartWords {
  readonly title: string
  readonly text: string
  /** Launches the app for the chart that is open now. */
  readonly open: string
  /** Shows the app again, for the chart before. */
  readonly goOn: string
  /** The text of the bar, while the person goes on with the earlier chart. */
  readonly earlier: string
  /** The text while the app switches by itself. */
  readonly changing: string
}

/**
 * Returns what a page says of the app named `app` while the chart covers an app, and after the person went on
 * with the earlier one. Pure. Never throws. Contract §11.
 * @example const { title, text } = explainChart('Visit Notes', frame.chart)
 */
export function explainChart(app: string, { isChartOpen }: ChartView): ChartWords {
  const shared = {
    text: `${app} was opened in the one before.`,
    goOn: 'Go on with the earlier chart',
    earlier: `${app} belongs to the earlier chart`,
  }
  return isChartOpen
    ? {
        ...shared,
        title: 'You opened another chart.',
        open: 'Open for this chart',
        changing: `${app} opens for this chart`,
      }
    : {
        ...shared,
        title: 'You closed the chart.',
        open: 'Open without a chart',
        changing: `${app} opens without a chart`,
      }
}
