import { Notifications } from '@mantine/notifications';

/** What was done, or failed, at the corner of the page. */
export default function Messages() {
  return <Notifications position="bottom-right" />;
}
