import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Page } from '../parts/page.tsx'

/** A page that could not be drawn: the fault in its own words, and the ways on around it. */
export function BrokenPage({ error }: ErrorComponentProps) {
  return (
    <Page title="This page could not be shown">
      <p role="alert" className="notice bad">
        <span>{error instanceof Error ? error.message : String(error)}</span>
      </p>
      <p className="hint">
        Load it again; if it stays so, report these words to the operator of the platform.
      </p>
      <p className="flex flex-wrap gap-2">
        <button type="button" className="button" onClick={() => location.reload()}>
          Load again
        </button>
        <Link to="/projects" className="button">
          All projects
        </Link>
      </p>
    </Page>
  )
}
