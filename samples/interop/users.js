// Calls the quickstart's UserService over gRPC, as docs/grpc.md describes.
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const file = loader.loadSync('users.proto', { longs: String, enums: String });
const api = grpc.loadPackageDefinition(file).io.rpcboot.samples.quickstart.api;
const users = new api.UserService(process.argv[2], grpc.credentials.createInsecure());
users.getUser({ id: 7 }, { deadline: Date.now() + 3000 }, (error, response) => {
  console.log(error ? error.message : response.value.name);
  users.close();
});
