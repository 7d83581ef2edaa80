// The warning before the sign-in ends: how long is left, counted down for the eye and announced once,
// and the button that keeps it. An end that activity does not move offers to sign in again.
/** @jsxImportSource preact */
import { Button, NoticeStrip } from '@chartside/ui'
import { formatClock, formatCountdown } from '@chartside/ui/times'
import { useSignal } from '@preact/signals'
import { useEffect, useReducer } from 'preact/hooks'
import { leaveForSignIn } from '../api/client.ts'
import { stay, warning } from '../session/sign-in-end.ts'
import { announce } from './announcements.ts'

export function SignInStrip() {
  const [, paintAgain] = useReducer((times: number) => times + 1, 0)
  const isBusy = useSignal(false)
  const shown = warning.value
  useEffect(() => {
    if (!shown) return
    announce(`You will be signed out at ${formatClock(shown.endsAt)}.`)
    const timer = setInterval(paintAgain, 1000)
    return () => clearInterval(timer)
  }, [shown?.endsAt])
  if (!shown) return null
  const isIdle = shown.reason === 'idle'
  return (
    <NoticeStrip
      tone="warn"
      icon="clock"
      title={`You will be signed out in ${formatCountdown(shown.endsAt - Date.now())}`}
      text={
        isIdle
          ? 'You have not been active on this page. What is not saved stays until then.'
          : 'A sign-in lasts this long at most. Save your work, then sign in again.'
      }
      action={
        <Button
          isCompact
          tone="primary"
          isBusy={isBusy.value}
          onPress={() => {
            if (!isIdle) {
              leaveForSignIn()
              return
            }
            isBusy.value = true
            void stay().finally(() => {
              isBusy.value = false
            })
          }}
        >
          {isIdle ? 'Stay' : 'Sign in again'}
        </Button>
      }
    />
  )
}
