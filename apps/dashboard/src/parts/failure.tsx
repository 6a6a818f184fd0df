import { CircleX } from 'lucide-react'
import { failureText } from './refusals/failure-text.ts'

/** The refusal or failure, spoken when it appears; nothing without an error. */
export function Failure({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null
  const { message, points, code, request_id, help } = failureText(error)
  return (
    <div role="alert" className="notice bad">
      <CircleX aria-hidden className="glyph tone-bad" />
      <div className="min-w-0 flex-1">
        <p>{message}</p>
        {points.length > 0 && (
          <ul className="list-disc pl-5">
            {points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        )}
        {help !== null && (
          <p>
            <a href={help.path}>{help.label}</a>
          </p>
        )}
        {(code !== null || request_id !== null) && (
          <p className="text-12 text-n11">
            {code !== null && <code>{code}</code>} {request_id !== null && <>request {request_id}</>}
          </p>
        )}
      </div>
    </div>
  )
}
