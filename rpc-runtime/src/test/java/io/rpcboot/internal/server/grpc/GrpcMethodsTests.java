package io.rpcboot.internal.server.grpc;

import java.util.List;
import java.util.Map;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcMethod;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.evolution.CompiledVersion;
import io.rpcboot.internal.server.builtin.StreamHandler;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.server.services.ServiceTable.OfferedService;
import io.rpcboot.serialization.OutputBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class GrpcMethodsTests {

	private static final String SERVICE = "io.rpcboot.internal.server.grpc.GrpcMethodsTests.Users";

	private static final String HEALTH = "/grpc.health.v1.Health/Check";

	public interface Users {

		String getUser(long id);

		void rename_all(String name);

		String tell(String name, RpcContext context);

	}

	public interface Overloads {

		String find(long id);

		@RpcMethod(name = "FindByName")
		String find(String name);

		int count();

	}

	public interface TwoFinds {

		String find(long id);

		String find(String name);

		int count();

	}

	public interface Mixed {

		int size();

		Object anything();

		void put(Object value);

	}

	public interface Nothing {

		Object anything();

	}

	/** A service of the server itself that ends no call. */
	private static final StreamHandler HANDLER = (responses) -> {
		throw new UnsupportedOperationException();
	};

	private static ServiceDescriptor users(String version, String group) {
		return ServiceDescriptor.of(Users.class, version, group);
	}

	@ParameterizedTest
	@CsvSource({ "GetUser, getUser", "getUser, getUser", "RenameAll, rename_all", "rename_all, rename_all",
			"Tell, tell" })
	void method_isFound_withCapitalLetterAndAsInJava(String name, String method) {
		GrpcMethod found = OfferedServices.methods(Users.class).find("/" + SERVICE + "/" + name);
		assertThat(found).isNotNull();
		assertThat(found.handler).isNull();
		assertThat(found.only.descriptor().name()).isEqualTo(method);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "//", "///", "x", "/x", SERVICE, "/" + SERVICE, "/" + SERVICE + "/",
			SERVICE + "/GetUser", "/" + SERVICE + "/getuser", "/" + SERVICE + "/GetUser/", "/" + SERVICE + "//GetUser",
			"/io.rpcboot.internal.server.grpc.GrpcMethodsTests$Users/GetUser", "/Users/GetUser" })
	void otherPath_isNotFound(String path) {
		GrpcMethods methods = OfferedServices.methods(Users.class);
		assertThat(methods.find(path)).isNull();
		assertThat(methods.whyNot(path)).isNotEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			value = { "nonsense | path 'nonsense' (expected: /package.Service/Method)",
					"/%s/GetUsr | service %s has no method 'GetUsr' (nearest: GetUser)",
					"/%s/GETUSER | service %s has no method 'GETUSER' (nearest: GetUser)",
					"/%s/Delete | service %s has no method 'Delete' (offered: GetUser, RenameAll, Tell)",
					"/io.rpcboot.internal.server.grpc.GrpcMethodTest.User/GetUser | (nearest: %s)",
					"/com.acme.Users/GetUser | service 'com.acme.Users' is not offered here (nearest: %s)",
					"/users/GetUser | service 'users' is not offered here (nearest: %s)",
					"/com.acme.Stock/Get | service 'com.acme.Stock' is not offered here (offered: %s)" })
	void otherPath_isExplained_withNearestName(String path, String text) {
		assertThat(OfferedServices.methods(Users.class).whyNot(path.replace("%s", SERVICE)))
			.endsWith(text.replace("%s", SERVICE));
	}

	@Test
	void serverWithoutServices_offersNone() {
		assertThat(OfferedServices.methods(new Class<?>[0]).whyNot("/a.B/C"))
			.isEqualTo("service 'a.B' is not offered here (offered: none)");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/%s", "/%s/%s", "/a.B/%s", "%s", "/" + SERVICE + "/%s" })
	void explanation_isShortAndPrintable_whateverThePath(String path) {
		String hostile = "\u202Eevil\r\n\u0000\uD800\t".repeat(2000);
		String why = OfferedServices.methods(Users.class).whyNot(path.replace("%s", hostile));
		assertThat(why).hasSizeLessThan(500).doesNotContain("\r", "\n", "\u0000", "\u202E", "\t", "\uD800");
	}

	@Test
	void overload_isOffered_underNameOfAnnotation() {
		GrpcMethods methods = OfferedServices.methods(Overloads.class);
		String path = "/io.rpcboot.internal.server.grpc.GrpcMethodsTests.Overloads/";
		assertThat(methods.find(path + "FindByName").only.descriptor().signature()).isEqualTo("find(java.lang.String)");
		assertThat(methods.find(path + "Find").only.descriptor().signature()).isEqualTo("find(long)");
		assertThat(methods.find(path + "find").only.descriptor().signature()).isEqualTo("find(long)");
		assertThat(methods.find(path + "Count")).isNotNull();
	}

	@Test
	void overloadsWithoutName_areLeftOut_withOneWarning() {
		try (LogRecorder log = new LogRecorder(OfferedServices.LOG)) {
			GrpcMethods methods = OfferedServices.methods(TwoFinds.class);
			String path = "/io.rpcboot.internal.server.grpc.GrpcMethodsTests.TwoFinds/";
			assertThat(methods.find(path + "Count")).isNotNull();
			assertThat(methods.find(path + "Find")).isNull();
			assertThat(methods.find(path + "find")).isNull();
			assertThat(methods.whyNot(path + "Find")).contains("the log of the server has the reason");
			assertThat(log.messages()).singleElement()
				.asString()
				.contains("Methods are not offered over gRPC", "2 of 3 methods", "find(java.lang.String)",
						"@RpcMethod(name");
		}
	}

	@Test
	void methodThatProtobufCannotCarry_isLeftOut_withOneWarning() {
		try (LogRecorder log = new LogRecorder(OfferedServices.LOG)) {
			GrpcMethods methods = OfferedServices.methods(Mixed.class);
			String path = "/io.rpcboot.internal.server.grpc.GrpcMethodsTests.Mixed/";
			assertThat(methods.find(path + "Size")).isNotNull();
			assertThat(methods.find(path + "Put")).isNull();
			assertThat(methods.whyNot(path + "Put"))
				.isEqualTo("'%sPut' is not offered over gRPC, because protobuf cannot carry it;".formatted(path)
						+ " the log of the server has the reason");
			assertThat(log.messages()).singleElement()
				.asString()
				.contains("2 of 3 methods", "anything(): result: java.lang.Object", "Declare the class that is meant");
		}
	}

	@Test
	void interfaceWithoutCarriedMethod_isExplained() {
		try (LogRecorder log = new LogRecorder(OfferedServices.LOG)) {
			GrpcMethods methods = OfferedServices.methods(Nothing.class);
			String path = "/io.rpcboot.internal.server.grpc.GrpcMethodsTests.Nothing/Other";
			assertThat(methods.whyNot(path)).contains("has no method 'Other'", "(offered: none)");
			assertThat(log.messages()).hasSize(1);
		}
	}

	@Test
	void method_sharesStatisticsAndLimits_withNativeProtocol() {
		List<OfferedService> offered = OfferedServices.of(Users.class);
		GrpcMethods methods = new GrpcMethods(OfferedServices.grpc(offered), List.of(), Map.of(), OfferedServices.GZIP,
				OfferedServices.JSON);
		Invocation method = methods.find("/" + SERVICE + "/GetUser").only;
		Invocation other = offered.get(0).methods().get(method.descriptor().number());
		assertThat(method.method).as("they share all").isSameAs(other.method);
	}

	@Test
	void codec_isThatOfProtobuf_withContextParameter() {
		Invocation method = OfferedServices.methods(Users.class).find("/" + SERVICE + "/Tell").only;
		assertThat(method.codec.deserializeArguments(new byte[] { 10, 2, 'h', 'i' }, 0, 4)).containsExactly("hi", null);
		OutputBuffer out = new OutputBuffer(new byte[1], 100);
		method.codec.serializeResult("ok", out);
		assertThat(out.toByteArray()).containsExactly(10, 2, 'o', 'k');
	}

	@ParameterizedTest
	@CsvSource(
			value = { "1, null, :1", "2, null, :2", "null, blue, null", "2, blue, :2@blue", "1, blue, null",
					"null, null, null", "3, null, null", "'', null, null", "null, '', null", "1, '', :1" },
			nullValues = "null")
	void service_isChosen_byVersionAndGroup(String version, String group, String chosen) {
		GrpcMethod method = OfferedServices
			.methods(users("1", ""), users("2", ""), users("2", "blue"), users("2", "green"), users("4", "blue"))
			.find("/" + SERVICE + "/GetUser");
		assertThat(method.only).isNull();
		Invocation found = method.of(version, group);
		assertThat((found != null) ? found.descriptor().service().toString().replaceFirst(".*Users", "") : null)
			.isEqualTo(chosen);
	}

	@Test
	void serviceWithoutVersionAndGroup_isChosen_byDefault() {
		GrpcMethod method = OfferedServices.methods(users("1", ""), users("", ""), users("", "blue"))
			.find("/" + SERVICE + "/GetUser");
		assertThat(method.only).isNull();
		assertThat(method.of(null, null).descriptor().service()).isEqualTo(users("", "").id());
		assertThat(method.of("", null).descriptor().service()).isEqualTo(users("", "").id());
		assertThat(method.of(null, "blue").descriptor().service()).isEqualTo(users("", "blue").id());
	}

	@Test
	void onlyService_isChosen_unlessAnotherVersionIsAskedFor() {
		GrpcMethod method = OfferedServices.methods(users("2", "blue")).find("/" + SERVICE + "/GetUser");
		assertThat(method.only).isNotNull();
		assertThat(method.of(null, null)).isSameAs(method.only);
		assertThat(method.of("2", null)).isSameAs(method.only);
		assertThat(method.of("3", null)).isNull();
	}

	@Test
	void ambiguousService_isExplained_withList() {
		GrpcMethod method = OfferedServices.methods(users("1", ""), users("2", "blue"))
			.find("/" + SERVICE + "/GetUser");
		String name = SERVICE.replace(".Users", "$Users");
		assertThat(method.whyNot("3\n", null))
			.isEqualTo("metadata rpc-version '3 ', no rpc-group (expected: version and group of one of %s:1, %s:2@blue)"
				.formatted(name, name));
	}

	@Test
	void twoInterfacesOfOneName_areRefused() {
		List<OfferedService> offered = OfferedServices.of(
				ServiceDescriptor.of(CompiledVersion.of("\trecord User() { }").service(), "1", ""),
				ServiceDescriptor.of(CompiledVersion.of("\trecord User() { }").service(), "2", ""));
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> OfferedServices.grpc(offered))
			.withMessageContaining("are both named evolution.Api in gRPC")
			.satisfies((ex) -> assertThat(ex.action()).contains("rename one of the two"));
	}

	@Test
	void methodOfServerItself_isFound() {
		GrpcMethods methods = new GrpcMethods(OfferedServices.grpc(OfferedServices.of(Users.class)), List.of(),
				Map.of(HEALTH, HANDLER), OfferedServices.GZIP, OfferedServices.JSON);
		assertThat(methods.find(HEALTH).handler).isSameAs(HANDLER);
		assertThat(methods.find(HEALTH).only).isNull();
		assertThat(methods.whyNot("/grpc.health.v1.Health/Chek")).endsWith("(nearest: Check)");
	}

	@Test
	void interfaceWithNameOfServiceOfServer_isRefused() {
		GrpcServices services = OfferedServices.grpc(OfferedServices.of(Users.class));
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> new GrpcMethods(services, List.of(), Map.of("/" + SERVICE + "/Check", HANDLER),
					OfferedServices.GZIP, OfferedServices.JSON))
			.withMessageContaining(SERVICE)
			.satisfies((ex) -> assertThat(ex.action()).contains("grpc.health"));
	}

	@Test
	void files_declareServices_byPackage() {
		GrpcServices services = OfferedServices.grpc(OfferedServices.of(Users.class, Overloads.class));
		assertThat(services.ids().keySet()).containsExactly(SERVICE, SERVICE.replace("Users", "Overloads"));
		assertThat(services.files()).hasSize(1);
		assertThat(services.files().get(0).text()).contains("service Users {", "service Overloads {",
				"rpc FindByName(");
	}

}
