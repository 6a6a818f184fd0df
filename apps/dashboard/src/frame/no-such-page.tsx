import { Link } from '@tanstack/react-router'
import { Page } from '../parts/page.tsx'

export function NoSuchPage() {
  return (
    <Page title="There is no such page">
      <p className="hint">The address leads nowhere, or to what is gone.</p>
      <p>
        <Link to="/projects">All projects</Link>
      </p>
    </Page>
  )
}
