import { useState } from 'react'
import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { ConnectForm } from './connect-form.tsx'
import { CreateForm } from './create-form.tsx'

/** A new repository, or one that is there already. */
export function NewProjectPage() {
  const [way, setWay] = useState<'create' | 'connect'>('create')
  const tabs = [
    { key: 'create', label: 'Create' },
    { key: 'connect', label: 'Connect' },
  ] as const
  return (
    <Page title="New project" narrow up={{ to: '/projects', label: 'Projects' }}>
      <Tabs label="Ways to begin" tabs={tabs} value={way} onChange={setWay}>
        {way === 'create' ? <CreateForm /> : <ConnectForm />}
      </Tabs>
    </Page>
  )
}
