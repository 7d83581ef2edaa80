// The icons, drawn on a grid of 24: lines that take the colour of their text, so that forced colours
// reach them. A path that begins with an exclamation mark is filled. Glyphs of a font differ between
// systems; these do not.

export const ICON_PATHS = {
  half: ['M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18z', '!M12 3a9 9 0 0 1 0 18z'],
  check: ['M4.5 12.5l5 5l10-11'],
  cross: ['M6 6l12 12', 'M18 6l-12 12'],
  square: ['!M6 6h12v12h-12z'],
  power: ['M12 3v9', 'M6.3 7.2a8 8 0 1 0 11.4 0'],
  dash: ['M5 12h14'],
  clock: ['M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18z', 'M12 7v5.2l3.4 2'],
  offline: [
    'M3 3l18 18',
    'M8.5 8.7a6 6 0 0 0-4.1 5.6a4.2 4.2 0 0 0 4.2 4.2h8.6',
    'M11 8a6 6 0 0 1 6.6 4.4a3.8 3.8 0 0 1 2.6 5.4',
  ],
  alert: ['M12 4l9 16h-18z', 'M12 10v4.5', 'M12 17.3v.2'],
  info: ['M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18z', 'M12 11v5.5', 'M12 7.6v.2'],
  more: [
    '!M5 10a2 2 0 1 0 0 4a2 2 0 0 0 0-4z',
    '!M12 10a2 2 0 1 0 0 4a2 2 0 0 0 0-4z',
    '!M19 10a2 2 0 1 0 0 4a2 2 0 0 0 0-4z',
  ],
  chevron: ['M6 9l6 6l6-6'],
  copy: ['M9 9h11v11h-11z', 'M5.5 15h-1.5v-11h11v1.5'],
  again: ['M20 12a8 8 0 1 1-2.6-5.9', 'M20 3.5v4.5h-4.5'],
  flag: ['M5 21v-17', 'M5 4.5h12l-2.5 4l2.5 4h-12'],
  leave: ['M14 4h5v16h-5', 'M4 12h10', 'M10 8l4 4l-4 4'],
  person: ['M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8z', 'M4.5 20.5a7.6 7.6 0 0 1 15 0'],
  layers: ['M12 4l8.5 4.5l-8.5 4.5l-8.5-4.5z', 'M3.5 13l8.5 4.5l8.5-4.5'],
  apps: [
    'M4 4h6.5v6.5h-6.5z',
    'M13.5 4h6.5v6.5h-6.5z',
    'M4 13.5h6.5v6.5h-6.5z',
    'M16.75 13.5v6.5',
    'M13.5 16.75h6.5',
  ],
  chart: ['M5 3.5h14v17h-14z', 'M8.5 8.5h7', 'M8 14h2l1.5-2.5l2 5l1.5-2.5h1.5'],
  key: ['M8 10.5a4 4 0 1 0 0 8a4 4 0 0 0 0-8z', 'M11 11.7l8.5-8.2', 'M16.5 6.5l2.8 2.8'],
  eye: [
    'M2.5 12s3.5-6.5 9.5-6.5s9.5 6.5 9.5 6.5s-3.5 6.5-9.5 6.5s-9.5-6.5-9.5-6.5z',
    'M12 9.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 0 0 0-5.6z',
  ],
  search: ['M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14z', 'M16.2 16.2l4.3 4.3'],
  tab: ['M3.5 6h17v13.5h-17z', 'M3.5 10h17', 'M9 6v4'],
  mail: ['M3.5 5.5h17v13h-17z', 'M4 6.5l8 6.5l8-6.5'],
  plug: ['M9 3v5', 'M15 3v5', 'M6.5 8h11v3.5a5.5 5.5 0 0 1-11 0z', 'M12 17v4'],
  spinner: ['M12 3.5a8.5 8.5 0 1 0 8.5 8.5'],
  panel: ['M3.5 4.5h17v15h-17z', 'M14 4.5v15', '!M16.3 8h2v2h-2z', '!M16.3 12h2v2h-2z'],
  plus: ['M12 5v14', 'M5 12h14'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type IconName = keyof typeof ICON_PATHS
