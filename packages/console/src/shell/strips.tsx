// The strips above every page: no network, or a service that cannot answer now. Each goes by itself as
// soon as a call is answered; the button asks at once.
/** @jsxImportSource preact */
import { Button, NoticeStrip } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { connection } from '../api/client.ts'
import { loadMe } from '../api/people.ts'
import { isAborted, problemOf } from '../api/problem.ts'

const ASK_AGAIN_MS = 10_000

async function ask(): Promise<void> {
  try {
    await loadMe({ isBackground: true })
  } catch (error) {
    if (!isAborted(error)) problemOf(error)
  }
}

export function ConnectionStrip() {
  const isAsking = useSignal(false)
  const retry = () => {
    if (isAsking.value) return
    isAsking.value = true
    void ask().finally(() => {
      isAsking.value = false
    })
  }
  const state = connection.value
  useEffect(() => {
    if (state === 'ok') return
    const timer = setInterval(retry, ASK_AGAIN_MS)
    addEventListener('online', retry)
    return () => {
      clearInterval(timer)
      removeEventListener('online', retry)
    }
  }, [state])
  useEffect(() => {
    const goOffline = () => {
      connection.value = 'offline'
    }
    addEventListener('offline', goOffline)
    return () => removeEventListener('offline', goOffline)
  }, [])
  if (state === 'ok') return null
  const isOffline = state === 'offline'
  return (
    <div role="alert">
      <NoticeStrip
        tone="warn"
        icon={isOffline ? 'offline' : 'clock'}
        title={isOffline ? 'You are offline' : 'The service is busy'}
        text={
          isOffline
            ? 'What you see may be old, and changes cannot be saved until the network is back.'
            : 'It cannot reach its storage now. What you see stays; try to save again in a moment.'
        }
        action={
          <Button isCompact isBusy={isAsking.value} onPress={retry}>
            Try now
          </Button>
        }
      />
    </div>
  )
}
