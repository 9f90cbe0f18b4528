/** Texts that several screens share, and the error catalogue. Those that the specification quotes (1, 2, 5, 8) stay to the letter. */

export const en = {
  formText: {
    titleRequired: 'Enter a title.',
    titleTooLong: 'Use at most {most} characters in the title; it has {length}.',
    slugRequired: 'Enter a slug.',
    slugOfMarks: 'Use at least one letter or number in the slug.',
    slugCharacters: 'Use only small letters a-z, numbers, dots, hyphens and underscores.',
    slugStart: 'Start the slug with a letter or a number.',
    slugTooLong: 'Use at most {most} characters in the slug; it has {length}.',
    contentTooLong:
      'The text is too long to be stored: {length} characters of HTML, and at most {most} fit. Split it into two posts.',
    contentTooMarked:
      'The text has too many parts: about {elements} list items, table cells, headings, links and the like, and at most {most} fit. Split it into several posts.',
    hourPassed: 'That hour has passed. Choose one that is ahead, or clear it.',
    hoursBackwards: 'The post would be taken down before it is published.',
    statusRequired: 'Choose a status: active or inactive.',
    imageRequired: 'Please select a featured image for your post',
    imageType: 'Choose a PNG, JPG, JPEG or GIF image.',
    imageTooLarge: 'Choose an image of at most {most} MB; this one has {size} MB.',
  },

  shellText: {
    loading: 'Loading...',
    preparing: 'Preparing your blog experience',
    checkingAccess: 'Checking access...',
    home: 'Home',
    login: 'Login',
    signup: 'Signup',
    allPosts: 'All Posts',
    addPost: 'Add Post',
    editPost: 'Edit Post',
    account: 'Account',
    logout: 'Logout',
    logoutFailed: 'You are still signed in: the server did not answer. Try again.',
  },

  homeText: {
    writePost: 'Write a New Post',
    createFirst: 'Create Your First Post',
  },

  loginText: {
    title: 'Sign in to your account',
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
    submitting: 'Signing in…',
  },

  listText: {
    loading: 'Loading posts...',
    retry: 'Retry',
    /** On /all-posts; `total` may be the least that there are. */
    sessionEnded: 'Your session has ended, and nothing was changed.',
    signedOut: 'You are no longer signed in.',
  },

  postFormText: {
    title: 'Title',
    slug: 'Slug',
    slugLocked: 'Slug is generated when the post is created and can’t be changed later.',
    content: 'Content',
    featuredImage: 'Featured Image',
    chooseImage: 'Choose a picture, or drop or paste one here',
    chooseAnother: 'Choose another picture',
    imageHelp: 'PNG, JPG, JPEG or GIF, at most 10 MB.',
    status: 'Status',
    submit: 'Submit',
    update: 'Update',
    preview: 'Preview',
    details: 'Tags, excerpt, language',
    versions: 'Former versions',
    compare: 'Compare the two',
    /** On the button that takes a notice away. */
    closeNotice: 'Close',
    changedElsewhere: 'This post was changed elsewhere since you opened it. Your words are still here.',
    loading: 'Loading...',
    notFound: 'Post not found.',
    titleExample: 'A title worth reading on for',
    slugHelp: 'The address of the post: {path}',
    about: 'About the post',
    active: 'Active',
    inactive: 'Inactive',
    activeHelp: 'Everybody can read it.',
    inactiveHelp: 'Readers cannot see it.',
    hours: 'Publish or take down later',
    shareDraft: 'Share this draft',
    takenOffHelp: 'It will be taken off the site; readers can no longer see it.',
    notYours: 'Only the author of this post can edit it.',
    read: 'Read the post',
    notLoaded:
      'This part could not be loaded. What you wrote is kept. Check the connection and try again; if that does not help, reload the page.',
    deletedElsewhere:
      'This post was deleted elsewhere while you have it open. Your words are still here, and can be taken along to a new one.',
    newPost: 'New post',
  },

  /** Copies of unpublished words on the writer's device. */
  draftText: {
    saved: 'Saved on this device {time}',
    savedOffline: 'Offline. Saved on this device {time}',
    offline: 'Offline',
    discard: 'Discard',
    discarded: 'Discarded.',
    undo: 'Undo',
    sending: 'On its way to the site. It can be changed again when that is done.',
    withoutPicture: 'Saved on this device {time}, but there is no room for its pictures',
    full: 'Not saved on this device: its storage is full',
    refused: 'Not saved on this device: this window keeps nothing (a private window, or storage is switched off)',
  },

  /** The session ended while a post was being written. */
  sessionText: {
    ended: 'You are no longer signed in. Your words are still here, and publishing waits until you are.',
    title: 'Sign in again',
  },

  /** Pictures of a text, on their way into the blog. */
  pictureText: {
    onlyThere:
      'This picture is only in the program or page it was copied from. Copy the picture by itself, or drop its file here.',
    upload: 'Upload of {name}',
    waiting: 'Waiting',
    preparing: 'Preparing',
    cancel: 'Cancel',
    retry: 'Retry',
    remove: 'Remove',
    unsent: {
      one: 'One picture of the text could not be uploaded. Retry or remove it there, then save again.',
      other: '{count} pictures of the text could not be uploaded. Retry or remove them there, then save again.',
    },
    sent: '{percent} % · {done} of {total} {unit}',
    part: ' · part {part} of {parts}',
  },

  postText: {
    readMore: 'Read more',
    noImage: 'No image available',
    edit: 'Edit',
    delete: 'Delete',
    loading: 'Loading post...',
    notFound: 'Post not found',
    backHome: 'Go back to home',
    minutes: '{minutes} min read',
  },

  /** What the error catalogue (spec 8) says word for word. */
  errorText: {
    /** How a list or view puts an error before the reader. */
    line: 'Error: {message}',
    guest: 'User not authenticated - guest access',
    badCredentials: 'Invalid email or password.',
    tooManyAttempts: 'Too many attempts. Please retry later.',
    loginFailed: 'Something went wrong. Please try again later.',
    loginWithoutUser: 'Login succeeded but user details are unavailable.',
    tooManyRequests: 'Too many requests. Please try again later.',
    emailTaken: 'An account with this email already exists.',
    badFormat: 'Invalid email or password format.',
    notMember:
      'On this site, members alone can write. Ask its owner to make you one. Your text is kept on this device.',
    otherAccount: 'This is another account than the one that began this text. Sign in with that one.',
    signupFailed: 'Unable to create account. Please try again.',
    signupWithoutUser: 'Account created but unable to fetch user details.',
    slugTaken: 'A post with this slug already exists. Change the title or slug and try again.',
    submitFailed: 'Failed to submit post',
    listFailed: 'Failed to fetch posts',
    viewFailed: 'Failed to fetch post',
    deleteFailed: 'Failed to delete post',
    statusFailed: 'Failed to change the status',
    uploadFailed: 'Failed to upload the image',
    unreachable: 'The server cannot be reached. Check the connection and try again.',
    tooLarge: 'This is larger than the server accepts. Use a smaller picture, or ask who runs the site to allow more.',
    /** @param megabytes as the backend says it */
    storageUsed:
      'You have used all of your storage ({megabytes} MB). Delete pictures or posts you no longer need, or ask whoever runs this site.',
    noRoom: 'There is no room left on the server. Try again later, or tell who runs the site.',
    notProvisioned: 'The backend has no “{attribute}” yet; npm run provision makes it.',
    noRoomForText: 'There is no room left on the server. Your text is kept on this device; try again later.',
    /** A proxy answered, not the backend. */
    errorPage: 'The server answered with an error page ({status}). Try again later, or tell who runs the site.',
  },
} as const;
