"""Calls the UserService of the quickstart: python3 quickstart.py 127.0.0.1:9090

The contract below has only what is used here: two of the fields of a user are enough, in an order
of their own. Server and client exchange their tables once and read each other by names.
"""

import sys

import rpc

API = "io.rpcboot.samples.quickstart.api."

CONTRACT = """protostuff/1
method existUser(java.lang.String) boolean
method createUser({api}User) boolean
method getUser(long) {api}User
method listUser(int) {api}Page<{api}User>
bean {api}Page<{api}User>
  1 total int
  2 pageNo int
  3 result java.util.List<{api}User>
bean {api}User
  1 name java.lang.String
  2 id long
  3 birthday java.time.LocalDate
  4 permissions java.util.List<java.lang.Integer>
""".format(api=API)


def main(address):
    host, port = address.rsplit(":", 1)
    connection = rpc.Connection(host, int(port))
    users = connection.bind(API + "UserService", CONTRACT)
    print("existUser(None)      ", users.call("existUser", None))
    print("existUser('a@b.c1')  ", users.call("existUser", "a@b.c1"))
    user = {"id": 7, "name": "Ann", "permissions": [1, None]}
    print("createUser(Ann)      ", users.call("createUser", user))
    print("createUser(None)     ", users.call("createUser", None))
    print("getUser(7)           ", users.call("getUser", 7))
    page = users.call("listUser", 2)
    print("listUser(2)          ", page["pageNo"], page["total"], [each["name"] for each in page["result"]])
    connection.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
