import { Notifications } from '@mantine/notifications';

/** What was done, or failed, at the head of the page. */
export default function Messages() {
  return <Notifications position="top-center" />;
}
