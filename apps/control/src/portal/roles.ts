import * as z from 'zod';
import { portalRoles } from '../frame/operation.ts';

/** What a portal user may do in their developer account. */
export const PortalRole = z
  .enum(portalRoles)
  .describe(
    'owner: everything. developer: apps, credentials and subscriptions. billing: invoices and budget. viewer: reads only.',
  );
