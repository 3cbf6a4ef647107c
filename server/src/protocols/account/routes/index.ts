import type { AnyAccountRoute } from '../route.ts'
import { applicationRoutes } from './applications.ts'
import { credentialRoutes } from './credentials.ts'
import { deviceRoutes } from './devices.ts'
import { passwordRoutes } from './password.ts'
import { privacyRoutes } from './privacy.ts'
import { profileRoutes } from './profile.ts'
import { sessionRoutes } from './sessions.ts'

/** Every address of the account that programs call. */
export const accountRoutes: readonly AnyAccountRoute[] = [
  ...profileRoutes,
  ...passwordRoutes,
  ...sessionRoutes,
  ...credentialRoutes,
  ...deviceRoutes,
  ...applicationRoutes,
  ...privacyRoutes,
]
