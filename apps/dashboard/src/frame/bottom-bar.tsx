import { Link } from '@tanstack/react-router'
import { FolderGit2, House, Menu, Search } from 'lucide-react'
import { useState } from 'react'
import { useWaitingCount } from '../inbox/use-count.ts'
import { Modal } from '../parts/dialog.tsx'
import { AccountMenu } from './account-menu.tsx'
import { type FrameActions, NavSection, ProjectSection } from './navigation.tsx'

/** The navigation under the thumb; everything else is behind Menu. */
export function BottomBar(props: FrameActions) {
  const [open, setOpen] = useState(false)
  const waiting = useWaitingCount()
  return (
    <nav className="nav" aria-label="Main">
      <Link to="/" className="nav-link" activeOptions={{ exact: true }}>
        <House aria-hidden className="glyph" />
        <span className="words">Home</span>
        {waiting > 0 && (
          <span className="count" aria-hidden>
            {waiting}
          </span>
        )}
      </Link>
      <Link to="/projects" className="nav-link" activeOptions={{ exact: true }}>
        <FolderGit2 aria-hidden className="glyph" />
        <span className="words">Projects</span>
      </Link>
      <button type="button" className="nav-link" onClick={props.onSearch}>
        <Search aria-hidden className="glyph" />
        <span className="words">Search</span>
      </button>
      <AccountMenu {...props} />
      <button type="button" className="nav-link" onClick={() => setOpen(true)}>
        <Menu aria-hidden className="glyph" />
        <span className="words">Menu</span>
      </button>
      <Modal title="Menu" open={open} onOpenChange={setOpen} sheet>
        <div role="navigation" aria-label="Main places" className="grid" onClick={() => setOpen(false)}>
          <NavSection section="main" />
          <ProjectSection />
        </div>
      </Modal>
    </nav>
  )
}
