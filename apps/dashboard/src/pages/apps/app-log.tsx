import type { AppLogLine, ProjectApp } from '@svc/sdk'
import { useEffect, useState } from 'react'
import { Failure } from '../../parts/failure.tsx'
import { LogBlock } from '../../parts/log-block.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

const shown = 200

/** The last lines that the program of the release that is shown printed, as they are written. */
export function AppLog({ app }: { readonly app: ProjectApp }) {
  const { project_id, name, current_release: current } = app
  const { apps } = useClient().projects
  const [lines, setLines] = useState<readonly AppLogLine[]>([])
  const [error, setError] = useState<unknown>(null)
  const number = current?.number
  useEffect(() => {
    if (number === undefined) return
    const leaving = new AbortController()
    setLines([])
    const follow = async () => {
      const options = { release: number, source: 'app' as const, signal: leaving.signal }
      let waiting: AppLogLine[] = []
      // Lines that come together are shown together.
      const timer = setInterval(() => {
        if (waiting.length === 0) return
        const more = waiting
        waiting = []
        setLines((before) => [...before, ...more].slice(-shown))
      }, 300)
      leaving.signal.addEventListener('abort', () => clearInterval(timer))
      for await (const line of apps.logs(project_id, name, options)) waiting.push(line)
    }
    follow().catch((cause: unknown) => {
      if (!leaving.signal.aborted) setError(cause)
    })
    return () => leaving.abort()
  }, [apps, project_id, name, number])
  return (
    <>
      <h3>Log</h3>
      <Failure error={error} />
      {lines.length === 0 ? (
        <p>Nothing printed yet.</p>
      ) : (
        <LogBlock label="Log of the program" lines={lines.map(({ line }) => line)} />
      )}
    </>
  )
}
