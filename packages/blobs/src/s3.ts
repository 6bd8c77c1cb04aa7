import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import type { BlobDriver } from './store.ts';

/** Stores each blob as an object in an S3 bucket; see `openBlobStore` for the URL. */
export function openBucket(url: URL): BlobDriver {
  const bucket = url.hostname;
  if (bucket === '') throw new Error('The s3:// URL has no bucket.');
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  const nameOf = (key: string) => (prefix === '' ? key : `${prefix}/${key}`);
  const client = new S3Client(clientConfiguration(url));
  const encryption = encryptionOf(url);

  return {
    async put(key, bytes) {
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: nameOf(key),
          Body: bytes,
          ContentType: 'application/octet-stream',
          ...encryption,
        }),
      );
    },

    async get(key) {
      for (let attempt = 1; ; attempt++) {
        try {
          const answer = await client.send(new GetObjectCommand({ Bucket: bucket, Key: nameOf(key) }));
          return (await answer.Body?.transformToByteArray()) ?? new Uint8Array();
        } catch (error) {
          if (error instanceof NoSuchKey) return null;
          // The SDK repeats a request without an answer, but not one whose answer breaks off.
          if (!isTruncated(error) || attempt === maxAttempts) throw error;
        }
      }
    },

    async delete(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: nameOf(key) }));
    },

    async isEmpty() {
      const list = new ListObjectsV2Command({ Bucket: bucket, Prefix: nameOf(''), MaxKeys: 1 });
      return ((await client.send(list)).KeyCount ?? 0) === 0;
    },

    close: async () => client.destroy(),
  };
}

/** Of a request: with the SDK's pauses, a server that is busy for seconds is waited for. */
const maxAttempts = 5;

function isTruncated(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}

/** The encryption by the server that is asked for with each object; without it, that of the bucket applies. */
function encryptionOf(url: URL): Pick<PutObjectCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'> {
  const encryption = url.searchParams.get('encryption');
  const kmsKey = url.searchParams.get('kmsKey');
  if (encryption === null && kmsKey === null) return {};
  if (encryption !== 'AES256' && encryption !== 'aws:kms') {
    throw new Error('The s3:// URL\'s encryption must be "AES256" or "aws:kms".');
  }
  if (kmsKey === null) return { ServerSideEncryption: encryption };
  if (encryption !== 'aws:kms') throw new Error("The s3:// URL's kmsKey requires encryption=aws:kms.");
  return { ServerSideEncryption: encryption, SSEKMSKeyId: kmsKey };
}

function clientConfiguration(url: URL): S3ClientConfig {
  const known = new Set(['region', 'endpoint', 'pathStyle', 'encryption', 'kmsKey']);
  for (const name of url.searchParams.keys()) {
    if (!known.has(name)) throw new Error(`The s3:// URL has an unknown parameter "${name}".`);
  }
  const endpoint = url.searchParams.get('endpoint');
  if (endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new Error("The s3:// URL's endpoint must be an http:// or https:// URL.");
  }
  const region = url.searchParams.get('region') ?? (endpoint === null ? null : 'us-east-1');
  return {
    maxAttempts,
    forcePathStyle: url.searchParams.get('pathStyle') === 'true',
    // Not every S3-compatible server supports the newer checksums, and the encryption detects changes anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(region === null ? {} : { region }),
    ...(endpoint === null ? {} : { endpoint }),
    ...(url.username === ''
      ? {}
      : {
          credentials: {
            accessKeyId: decodeURIComponent(url.username),
            secretAccessKey: decodeURIComponent(url.password),
          },
        }),
  };
}
