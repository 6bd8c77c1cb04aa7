import { Notifications } from '@mantine/notifications';

/** Short messages at the top of the page: what was done, or failed. */
export default function Messages() {
  return <Notifications position="top-center" />;
}
