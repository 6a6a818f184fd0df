import type { Harness } from '@svc/sdk'
import { useState } from 'react'
import { whole } from '../../../parts/action-table.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { AdminTable } from '../admin-table.tsx'
import {
  canInstall,
  canRemove,
  harnessRows,
  isUnderWay,
  licenceState,
  sizeOf,
} from '../harnesses/harness-rows.ts'
import { Installs } from '../harnesses/installs.tsx'
import { LicenceCell } from '../harnesses/licence-cell.tsx'
import { LicenceDialog } from '../harnesses/licence-dialog.tsx'
import { useAdmin } from '../use-admin.ts'

const againMs = 2_000
/** The time in which a worker begins what it was asked for; no stream follows it. */
const beginMs = 60_000

/** Programs that may be agents: versions, installs and licences. */
export function Harnesses() {
  const admin = useAdmin()
  const { harnesses } = useClient()
  const [read, setRead] = useState<Harness | null>(null)
  const [asked_at, setAskedAt] = useState(0)
  return (
    <>
      <p className="hint">
        Programs that may be the agent of a session. One that is not installed is installed by its first
        session, unless the operator installs by hand.
      </p>
      <AdminTable
        caption="Harnesses"
        empty="No harness"
        read={() => whole(harnesses.list().then(harnessRows))}
        refreshMs={(rows) => (rows.some(isUnderWay) || Date.now() - asked_at < beginMs ? againMs : undefined)}
        keyOf={({ harness, version }) => `${harness.name} ${version}`}
        columns={[
          {
            name: 'Harness',
            cell: ({ harness: { name, title } }) => (
              <span className="grid md:whitespace-nowrap">
                {title} <code className="faint">{name}</code>
              </span>
            ),
          },
          { name: 'Version', cell: ({ version }) => version ?? '–' },
          { name: 'Size', cell: (row) => <span className="whitespace-nowrap">{sizeOf(row)}</span> },
          { name: 'Installs', cell: (row) => <Installs row={row} /> },
          { name: 'Licence', cell: ({ harness }) => <LicenceCell harness={harness} onRead={setRead} /> },
          {
            name: 'For sessions',
            cell: ({ harness: { available, message } }) =>
              message ?? (available ? 'available' : 'not available'),
          },
        ]}
        actions={[
          {
            label: 'Install',
            when: canInstall,
            run: async ({ harness: { name }, version }) => {
              await admin.harnesses.install(name, version === null ? {} : { version })
              setAskedAt(Date.now())
            },
          },
          {
            label: 'Remove',
            when: canRemove,
            asks: ({ harness: { title }, version }) =>
              `The install of ${title} ${version} is given up on every machine. A session that needs it installs it anew.`,
            run: ({ harness: { name }, version }) => admin.harnesses.remove(name, version ?? ''),
            done: 'The install is given up.',
          },
          {
            label: 'Revoke licence',
            when: ({ harness }) => licenceState(harness) === 'accepted',
            asks: ({ harness: { title } }) =>
              `No more sessions start with ${title} until its licence is accepted again. Those that run go on.`,
            run: ({ harness: { name } }) => admin.harnesses.revoke(name),
            done: 'The licence is no longer accepted.',
          },
        ]}
      />
      {read !== null && <LicenceDialog harness={read} onClose={() => setRead(null)} />}
    </>
  )
}
