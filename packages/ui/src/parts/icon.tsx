// An icon in the color of its text. Icons are hidden from screen readers: the word beside one, or
// the name of its button, says what it means.
/** @jsxImportSource preact */
import { ICON_PATHS, type IconName } from '../rules/icon-paths.ts'

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {ICON_PATHS[name].map((path) =>
        path.startsWith('!') ? (
          <path key={path} class="solid" stroke="none" d={path.slice(1)} />
        ) : (
          <path key={path} d={path} />
        ),
      )}
    </svg>
  )
}
