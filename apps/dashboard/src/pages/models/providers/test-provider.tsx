import { counted } from '@svc/facts'
import { useMutation } from '@tanstack/react-query'
import { GuardedButton } from '../../../parts/guarded-button.tsx'
import { failureText } from '../../../parts/refusals/failure-text.ts'
import { toast } from '../../../parts/toast.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'

interface Props {
  readonly project_id: string
  readonly slug: string
}

/** Asks a provider for its models, which costs nothing, and says what it answered. */
export function TestProvider({ project_id, slug }: Props) {
  const { providers } = useClient().projects.gateway
  const test = useMutation({
    mutationFn: () => providers.test(project_id, slug),
    onSuccess: ({ ok, message, models, latency_ms }) =>
      toast(
        ok
          ? `${slug} answers in ${latency_ms} ms, with ${counted(models.length, 'model')}.`
          : `${slug}: ${message}`,
      ),
    onError: (error) => toast(failureText(error).message),
  })
  return (
    <GuardedButton
      needs="project.secret.write"
      className="button small"
      disabled={test.isPending}
      onClick={() => test.mutate()}
    >
      {test.isPending ? 'Testing…' : 'Test'}
      <span className="sr-only"> {slug}</span>
    </GuardedButton>
  )
}
