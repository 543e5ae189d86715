// SPDX-License-Identifier: Apache-2.0
// The one way to include cpp-httplib: with the switch the distribution's library was compiled with,
// since it changes the layout of Request. (Its other switches only touch code inside the library.)
#pragma once

#ifndef CPPHTTPLIB_OPENSSL_SUPPORT
#define CPPHTTPLIB_OPENSSL_SUPPORT
#endif
#include <httplib.h>
