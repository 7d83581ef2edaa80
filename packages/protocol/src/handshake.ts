// The words of the handshake between an app's frame (SDK) and its host, parse and build side by
// side. No I/O, no dependency. What arrives here was sent by anybody: every parse answers null for
// what it does not recognise, reads own properties only, bounds every length, and never throws.
// Contract §5, spec §2.5 and §7; security X01, X06, X07.
import type { SessionSeed } from './launch.ts'

export type ServiceSDKErrorCode =
  | 'TOKEN_FETCH_ERROR'
  | 'ID_TOKEN_UNAVAILABLE'
  | 'HOST_NOT_FOUND'
  | 'HANDSHAKE_TIMEOUT'
  | 'PROTOCOL_MISMATCH'
  | 'LAUNCH_MISMATCH'
  | 'TOKEN_REJECTED'
  | 'LAUNCH_ENDED'

/** Why a launch is over, as the app is told. */
export type EndReason = 'signed_out' | 'session_ended' | 'launch_ended' | 'expired' | 'closed'

export type { SessionSeed }
