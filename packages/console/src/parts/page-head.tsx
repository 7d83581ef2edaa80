// The head of a page: where it stands, its title, what it is about in a few words, and its actions. The
// title takes the focus when the page opens, so that a screen reader says where one is.
/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export interface Crumb {
  readonly label: string
  readonly address: string
}

export interface PageHeadProps {
  readonly title: string
  /** The pages above this one. */
  readonly crumbs?: readonly Crumb[] | undefined
  readonly about?: ComponentChildren
  readonly actions?: ComponentChildren
  /** True for a record beside its list, which keeps the title of the page. */
  readonly isBeside?: boolean
}

export function PageHead({ title, crumbs = [], about, actions, isBeside = false }: PageHeadProps) {
  useEffect(() => {
    if (!isBeside) document.title = `${title} · Chartside`
  }, [title])
  return (
    <header class="page-head">
      {crumbs.length > 0 && (
        <nav aria-label="Path">
          <ol class="crumbs">
            {crumbs.map(({ label, address }) => (
              <li key={address}>
                <a href={address}>{label}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div class="page-title">
        {isBeside ? (
          <h2 tabIndex={-1} data-pane-title>
            {title}
          </h2>
        ) : (
          <h1 tabIndex={-1} data-page-title>
            {title}
          </h1>
        )}
        {actions && <div class="row">{actions}</div>}
      </div>
      {about && <p class="quiet about">{about}</p>}
    </header>
  )
}

/** A part of a page with its own heading. A link with the anchor leads to it. */
export function Section({
  title,
  anchor,
  about,
  actions,
  children,
}: {
  readonly title: string
  readonly anchor?: string
  readonly about?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (anchor === undefined || location.hash !== `#${anchor}`) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView()
  }, [])
  return (
    <section class="section" aria-label={title}>
      <div class="section-head">
        <h2 ref={heading} id={anchor} tabIndex={anchor === undefined ? undefined : -1}>
          {title}
        </h2>
        {actions && <div class="row">{actions}</div>}
      </div>
      {about && <p class="quiet">{about}</p>}
      {children}
    </section>
  )
}
