// The icon of an app: its picture, or the initials of its name on one of eight grounds. The ground
// comes from the app's id, so an app keeps it everywhere.
/** @jsxImportSource preact */

export interface AppIconProps {
  readonly id: string
  readonly name: string
  readonly iconUrl?: string | undefined
}

const GROUNDS = 8

export function AppIcon({ id, name, iconUrl }: AppIconProps) {
  const hue = hash(id) % GROUNDS
  return (
    <span class={`app-icon hue-${hue}`} aria-hidden="true">
      {iconUrl === undefined ? initialsOf(name) : <img src={iconUrl} alt="" />}
    </span>
  )
}

const hash = (text: string) =>
  [...text].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521, 7)

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const characters =
    words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...name].slice(0, 2)
  return characters.join('').toLocaleUpperCase()
}
