import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { ConnectionLine } from '../live/connection-line.tsx'
import { useChanges } from '../live/use-changes.ts'
import { usePageOpenNotifications } from '../notifications/use-page-open.ts'
import { draftsOf } from '../drafts/use-draft.ts'
import { Toasts } from '../parts/toast.tsx'
import { usePhone } from '../design/use-media.ts'
import { BottomBar } from './bottom-bar.tsx'
import { Navigation } from './navigation.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { useIconBadge } from '../inbox/use-icon-badge.ts'
import { useKeys } from './use-keys.ts'
import { useMe } from './use-me.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

/** The frame around every page of a person who is signed in. */
export function Frame({ onSignOut }: { readonly onSignOut: () => void }) {
  useChanges()
  useIconBadge()
  usePageOpenNotifications()
  const phone = usePhone()
  const [palette, setPalette] = useState(false)
  const [shortcuts, setShortcuts] = useState(false)
  const { data: me } = useMe()
  const person = me === undefined ? undefined : (me?.user_id ?? 'token')
  useEffect(() => {
    if (person !== undefined) draftsOf(person)
  }, [person])
  useKeys({ onPalette: () => setPalette(true), onShortcuts: () => setShortcuts(true) })
  const props = { onSearch: () => setPalette(true), onShortcuts: () => setShortcuts(true), onSignOut }
  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to content
      </a>
      {phone ? <BottomBar {...props} /> : <Navigation {...props} />}
      <div className="min-w-0">
        <ConnectionLine />
        <Outlet />
      </div>
      <Toasts />
      <Shortcuts open={shortcuts} onOpenChange={setShortcuts} />
      {palette && (
        <Suspense>
          <Palette open={palette} onOpenChange={setPalette} />
        </Suspense>
      )}
    </div>
  )
}
