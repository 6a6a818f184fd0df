import { Link } from '@tanstack/react-router'
import { PanelRight, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useWaitingCount } from '../inbox/use-count.ts'
import { useWide } from '../design/use-media.ts'
import { ContextGrip } from './context-grip.tsx'

interface Props {
  /** The heading, and the name of the tab. */
  readonly title: string
  /** Beside the heading: a number, a state. */
  readonly beside?: ReactNode
  readonly actions?: ReactNode
  /** The address one step up, shown on small screens. */
  readonly up?: { readonly to: string; readonly label: string }
  /** The third column: details of what is worked on. */
  readonly context?: ReactNode
  /** Stays at the lower edge, under the thumb. */
  readonly foot?: ReactNode
  readonly narrow?: boolean
  readonly children?: ReactNode
}

/** A page of the frame: one `main` with one heading, which takes the focus so that its arrival is heard; and its context. */
export function Page({ title, beside, actions, up, context, foot, narrow = false, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [open, setOpen] = useState(false)
  const wide = useWide()
  const waiting = useWaitingCount()
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const shown = context !== undefined && (wide || open)
  return (
    <div className={context === undefined ? 'page' : 'page with-context'}>
      <title>{`${waiting > 0 ? `(${waiting}) ` : ''}${title} · svc`}</title>
      <main id="content" tabIndex={-1} className={narrow ? 'work narrow' : 'work'}>
        <header className="page-head">
          {up !== undefined && (
            <Link to={up.to} className="hint" aria-label={`Back to ${up.label}`}>
              {up.label} /
            </Link>
          )}
          <h1 ref={heading} tabIndex={-1} dir="auto">
            {title}
          </h1>
          {beside}
          <div className="actions">
            {actions}
            {context !== undefined && !wide && (
              <button type="button" className="button" aria-expanded={open} onClick={() => setOpen(!open)}>
                <PanelRight aria-hidden />
                Context
              </button>
            )}
          </div>
        </header>
        {children}
        {foot !== undefined && <div className="stuck">{foot}</div>}
      </main>
      {shown && (
        <aside
          className="context"
          aria-label="Context"
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !wide) setOpen(false)
          }}
        >
          {wide ? (
            <ContextGrip />
          ) : (
            <button type="button" className="button small" autoFocus onClick={() => setOpen(false)}>
              <X aria-hidden />
              Close context
            </button>
          )}
          {context}
        </aside>
      )}
    </div>
  )
}
