import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { readSessionCookie, type SessionCookie, writeSessionCookie } from './browsers.ts';

/** Longer than most holidays; each sign-in restarts it. */
const deviceDays = 90;
const idBytes = 16;
const timeBytes = 8;
const macBytes = 32;

/**
 * The devices that signed in to an account. Guesses from elsewhere don't make such a device wait. Its cookie proves
 * nothing else, and nothing for another account: the MAC covers the e-mail address.
 */
export interface Devices {
  /** The id of the device that sends this `Cookie` header, if it signed in to the account before; otherwise null. */
  read(cookies: string, email: string): string | null;
  /** The value of `Set-Cookie` that marks the device; a known device keeps its id. */
  write(email: string, deviceId: string | null): string;
}

/**
 * The devices of one realm: who signs in elsewhere with the same e-mail address is somebody else.
 *
 * @param realm as of the counters of sign-ins; empty if there is only one
 */
export function devicesIn(devices: Devices, realm: string): Devices {
  if (realm === '') return devices;
  return {
    read: (cookies, email) => devices.read(cookies, `${realm} ${email}`),
    write: (email, deviceId) => devices.write(`${realm} ${email}`, deviceId),
  };
}

/**
 * @param encryptionKey the service's, 32 bytes
 * @param cookie its name gets a part of its own for each account, so that people who share a browser do not disturb
 *   each other
 */
export function createDevices(encryptionKey: Uint8Array, cookie: SessionCookie): Devices {
  const key = Buffer.from(hkdfSync('sha256', encryptionKey, '', `${cookie.name} devices`, 32));
  const macOf = (email: string, signed: Uint8Array) => createHmac('sha256', key).update(signed).update(email).digest();
  const cookieOf = (email: string): SessionCookie => {
    const account = createHash('sha256').update(email).digest('hex').slice(0, 12);
    return { ...cookie, name: `${cookie.name}_${account}` };
  };
  return {
    read(cookies, email) {
      const value = readSessionCookie(cookies, cookieOf(email));
      const bytes = Buffer.from(value ?? '', 'base64url');
      if (bytes.length !== idBytes + timeBytes + macBytes) return null;
      const signed = bytes.subarray(0, idBytes + timeBytes);
      if (!timingSafeEqual(macOf(email, signed), bytes.subarray(signed.length))) return null;
      if (bytes.readDoubleBE(idBytes) < Date.now()) return null;
      return bytes.subarray(0, idBytes).toString('base64url');
    },
    write(email, deviceId) {
      const id = deviceId === null ? randomBytes(idBytes) : Buffer.from(deviceId, 'base64url');
      const seconds = deviceDays * 24 * 3_600;
      const expires = Buffer.alloc(timeBytes);
      expires.writeDoubleBE(Date.now() + seconds * 1_000);
      const signed = Buffer.concat([id, expires]);
      const value = Buffer.concat([signed, macOf(email, signed)]).toString('base64url');
      return writeSessionCookie(cookieOf(email), value, seconds);
    },
  };
}
