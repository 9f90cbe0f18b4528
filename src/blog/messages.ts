/** Every text of the product that a person reads and that more than one place or a test relies on (spec 1, 2, 5, 8). */

export const formText = {
  emailRequired: 'Email is required',
  emailInvalid: 'Enter a valid email',
  passwordRequired: 'Password is required',
  nameRequired: 'Name is required',
  nameTooLong: 'Name too long',
  passwordTooShort: 'Password must be at least 6 characters long',
  passwordTooLong: 'Password must be at most 64 characters long',
  passwordUppercase: 'Add at least one uppercase letter',
  passwordLowercase: 'Add at least one lowercase letter',
  passwordNumber: 'Add at least one number',
  passwordSpecial: 'Add at least one special character',
  confirmRequired: 'Please confirm your password',
  confirmDiffers: 'Passwords do not match',
  titleRequired: 'Enter a title.',
  titleTooLong: (length: number, most: number) => `Use at most ${most} characters in the title; it has ${length}.`,
  contentTooLong: (length: number, most: number) =>
    `The text is too long to be stored: ${count(length)} characters of HTML, and at most ${count(most)} fit. Split it into two posts.`,
  statusRequired: 'Choose a status: active or inactive.',
  imageRequired: 'Please select a featured image for your post',
  imageType: 'Choose a PNG, JPG, JPEG or GIF image.',
  imageTooLarge: (bytes: number, most: number) =>
    `Choose an image of at most ${megabytes(most)} MB; this one has ${megabytes(bytes)} MB.`,
} as const;

export const shellText = {
  loading: 'Loading...',
  preparing: 'Preparing your blog experience',
  checkingAccess: 'Checking access...',
  home: 'Home',
  login: 'Login',
  signup: 'Signup',
  allPosts: 'All Posts',
  addPost: 'Add Post',
  logout: 'Logout',
  search: 'Search',
} as const;

export const footerText = {
  tagline:
    'Share your stories, insights, and ideas with the world. Join our community of passionate writers and readers creating meaningful content.',
  madeFor: 'Made for bloggers.',
  newsletterTitle: 'Stay Updated',
  newsletter: 'Get notified about new posts and updates.',
  subscribe: 'Subscribe',
  home: 'Home',
  allPosts: 'All Posts',
  createPost: 'Create Post',
  archive: 'Archive',
  feed: 'RSS feed',
  helpCenter: 'Help Center',
  contactUs: 'Contact Us',
  privacyPolicy: 'Privacy Policy',
  termsOfService: 'Terms of Service',
  backToTop: 'Back to Top',
} as const;

export const homeText = {
  latestPosts: 'Latest Posts',
  callToAction: 'Have something to share?',
  writePost: 'Write a New Post',
  welcome: 'Welcome to Your Blog',
  ready: 'Ready to get started?',
  createFirst: 'Create Your First Post',
  viewAll: 'View All Posts',
  loading: 'Loading posts...',
  retry: 'Retry',
} as const;

/** Author pages, the archive and search: beyond the specification. */
export const authorText = {
  unknown: 'An author without a name',
  title: (name: string) => `Posts by ${name}`,
  count: (posts: number) => (posts === 1 ? 'One post' : `${count(posts)} posts`),
} as const;

export const archiveText = {
  title: 'Archive',
  year: (year: number) => `Posts of ${year}`,
  allYears: 'All years',
  empty: 'Nothing has been published yet',
} as const;

export const searchText = {
  title: 'Search',
  label: 'Search for words in titles and texts',
  submit: 'Search',
  heading: (question: string) => `Results for “${question}”`,
  found: (posts: number, most: number) =>
    posts >= most ? `The first ${most} posts` : posts === 1 ? 'One post' : `${posts} posts`,
  nothing: (question: string) => `Nothing was found for “${question}”`,
  nothingHelp: 'Try fewer words, or only the beginning of one.',
  tooMany: 'Too many searches',
  tooManyHelp: (seconds: number) =>
    `Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`} and search again.`,
} as const;

export const loginText = {
  title: 'Sign in to your account',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  submitting: 'Signing in…',
  signUp: 'Sign Up',
} as const;

export const signupText = {
  title: 'Create your account',
  signIn: 'Sign in',
  name: 'Full name',
  email: 'Email',
  password: 'Password',
  passwordPlaceholder: 'Minimum 6 characters',
  confirmPassword: 'Confirm password',
  show: 'Show',
  hide: 'Hide',
  submit: 'Create Account',
  submitting: 'Creating account…',
} as const;

export const listText = { loading: 'Loading posts...', retry: 'Retry' } as const;

export const postFormText = {
  title: 'Title',
  slug: 'Slug',
  slugLocked: 'Slug is generated when the post is created and can’t be changed later.',
  content: 'Content',
  featuredImage: 'Featured Image',
  status: 'Status',
  submit: 'Submit',
  update: 'Update',
  loading: 'Loading...',
  notFound: 'Post not found.',
} as const;

export const postText = {
  readMore: 'Read more',
  noImage: 'No image available',
  edit: 'Edit',
  delete: 'Delete',
  loading: 'Loading post...',
  notFound: 'Post not found',
  backHome: 'Go back to home',
  notPublished: 'Not published',
  deleteTitle: 'Confirm deletion',
  deleteQuestion: 'This action cannot be undone. The post and its media will be permanently removed.',
  deleteCancel: 'Cancel',
  deleteConfirm: 'Delete post',
} as const;

/** Pages for what cannot be shown (spec 8, "Routing errors"). */
export const routeErrorText = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  noRoute: 'No route matches URL',
  unexpected: 'Unexpected Application Error!',
} as const;

/** What the error catalogue (spec 8) says word for word. */
export const errorText = {
  guest: 'User not authenticated - guest access',
  badCredentials: 'Invalid email or password.',
  tooManyAttempts: 'Too many attempts. Please retry later.',
  loginFailed: 'Something went wrong. Please try again later.',
  loginWithoutUser: 'Login succeeded but user details are unavailable.',
  tooManyRequests: 'Too many requests. Please try again later.',
  emailTaken: 'An account with this email already exists.',
  badFormat: 'Invalid email or password format.',
  signupFailed: 'Unable to create account. Please try again.',
  signupWithoutUser: 'Account created but unable to fetch user details.',
  slugTaken: 'A post with this slug already exists. Change the title or slug and try again.',
  submitFailed: 'Failed to submit post',
  listFailed: 'Failed to fetch posts',
  viewFailed: 'Failed to fetch post',
  deleteFailed: 'Failed to delete post',
  uploadFailed: 'Failed to upload the image',
  unreachable: 'The server cannot be reached. Check the connection and try again.',
} as const;

/** How a list or view puts an error before the reader: "Error: {message}". */
export const errorLine = (message: string): string => `Error: ${message}`;

/** Words for a failed login. */
export function loginMessage(error: unknown): string {
  const { code, type } = faultOf(error);
  // Other 401s (a missing second factor, say) are no matter of credentials and speak for themselves.
  if (code === 401 && (type === '' || type === 'user_invalid_credentials')) return errorText.badCredentials;
  if (code === 429) return errorText.tooManyAttempts;
  return ownWords(error, errorText.loginFailed);
}

/** Words for a failed sign-up. */
export function signupMessage(error: unknown): string {
  const { code } = faultOf(error);
  if (code === 429) return errorText.tooManyRequests;
  if (code === 409) return errorText.emailTaken;
  if (code === 400) return errorText.badFormat;
  return ownWords(error, errorText.signupFailed);
}

/** Words for a post that could not be created or updated. */
export function postMessage(error: unknown): string {
  const { code, type } = faultOf(error);
  if (code === 409 && !type.endsWith('_update_conflict')) return errorText.slugTaken;
  return ownWords(error, errorText.submitFailed);
}

export const listMessage = (error: unknown): string => ownWords(error, errorText.listFailed);
export const viewMessage = (error: unknown): string => ownWords(error, errorText.viewFailed);
/** The spec has one text for a failed delete, whatever the cause. */
export const deleteMessage = (error: unknown): string =>
  isUnreachable(error) ? errorText.unreachable : errorText.deleteFailed;
export const uploadMessage = (error: unknown): string => ownWords(error, errorText.uploadFailed);

/** An error of the backend as its SDK throws it, recognised by shape so that no SDK is needed here. */
export interface Fault {
  /** HTTP status; 0 when the request got no answer. */
  readonly code: number;
  /** Machine-readable kind, e.g. `document_already_exists`; empty when there is none. */
  readonly type: string;
  readonly message: string;
}

export function faultOf(error: unknown): Fault {
  const { code, type, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  return {
    code: typeof code === 'number' ? code : 0,
    type: typeof type === 'string' ? type : '',
    message: typeof message === 'string' ? message : typeof error === 'string' ? error : '',
  };
}

/** True when the request never got an answer, or only a proxy's. Every engine words its network error differently. */
export function isUnreachable(error: unknown): boolean {
  const { code, message } = faultOf(error);
  if (code === 0)
    return /^(failed to fetch|networkerror|load failed|fetch failed|network request failed)/i.test(message);
  return code === 502 || code === 503 || code === 504;
}

function ownWords(error: unknown, otherwise: string): string {
  return isUnreachable(error) ? errorText.unreachable : faultOf(error).message || otherwise;
}

const count = (value: number): string => value.toLocaleString('en-US');
const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1).replace(/\.0$/, '');
