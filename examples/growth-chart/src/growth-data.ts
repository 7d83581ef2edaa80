// Invented reference curves: weight in kilograms by age in months. Plain data for a drawing; not
// medical data. No child: a launch names no patient, so a chart of one could be that of another.

export const REFERENCE = {
  curves: [
    { percentile: 5, weights: [2.6, 5.4, 6.7, 7.5, 8.2, 9.3, 10.3, 11.3, 12.1] },
    { percentile: 50, weights: [3.3, 6.4, 7.9, 8.9, 9.6, 10.9, 12.2, 13.3, 14.3] },
    { percentile: 95, weights: [4.2, 7.6, 9.3, 10.5, 11.4, 13, 14.5, 15.9, 17.2] },
  ],
  /** The ages of every curve's weights. */
  ages: [0, 3, 6, 9, 12, 18, 24, 30, 36],
} as const
