package io.rpcboot.workload;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Objects;

/**
 * A user of the workload: twelve fields, about 240 bytes.
 */
public class User {

	private long id;

	private String name;

	private int sex;

	private LocalDate birthday;

	private String email;

	private String mobile;

	private String address;

	private String icon;

	private int status;

	private LocalDateTime createTime;

	private LocalDateTime updateTime;

	private List<Integer> permissions;

	public long getId() {
		return this.id;
	}

	public void setId(long id) {
		this.id = id;
	}

	public String getName() {
		return this.name;
	}

	public void setName(String name) {
		this.name = name;
	}

	public int getSex() {
		return this.sex;
	}

	public void setSex(int sex) {
		this.sex = sex;
	}

	public LocalDate getBirthday() {
		return this.birthday;
	}

	public void setBirthday(LocalDate birthday) {
		this.birthday = birthday;
	}

	public String getEmail() {
		return this.email;
	}

	public void setEmail(String email) {
		this.email = email;
	}

	public String getMobile() {
		return this.mobile;
	}

	public void setMobile(String mobile) {
		this.mobile = mobile;
	}

	public String getAddress() {
		return this.address;
	}

	public void setAddress(String address) {
		this.address = address;
	}

	public String getIcon() {
		return this.icon;
	}

	public void setIcon(String icon) {
		this.icon = icon;
	}

	public int getStatus() {
		return this.status;
	}

	public void setStatus(int status) {
		this.status = status;
	}

	public LocalDateTime getCreateTime() {
		return this.createTime;
	}

	public void setCreateTime(LocalDateTime createTime) {
		this.createTime = createTime;
	}

	public LocalDateTime getUpdateTime() {
		return this.updateTime;
	}

	public void setUpdateTime(LocalDateTime updateTime) {
		this.updateTime = updateTime;
	}

	public List<Integer> getPermissions() {
		return this.permissions;
	}

	public void setPermissions(List<Integer> permissions) {
		this.permissions = permissions;
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof User that && this.id == that.id && Objects.equals(this.name, that.name)
				&& this.sex == that.sex && Objects.equals(this.birthday, that.birthday)
				&& Objects.equals(this.email, that.email) && Objects.equals(this.mobile, that.mobile)
				&& Objects.equals(this.address, that.address) && Objects.equals(this.icon, that.icon)
				&& this.status == that.status && Objects.equals(this.createTime, that.createTime)
				&& Objects.equals(this.updateTime, that.updateTime)
				&& Objects.equals(this.permissions, that.permissions);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.id, this.name, this.sex, this.birthday, this.email, this.mobile, this.address,
				this.icon, this.status, this.createTime, this.updateTime, this.permissions);
	}

	@Override
	public String toString() {
		return "User[" + "id=" + this.id + ", " + "name=" + this.name + ", " + "sex=" + this.sex + ", " + "birthday="
				+ this.birthday + ", " + "email=" + this.email + ", " + "mobile=" + this.mobile + ", " + "address="
				+ this.address + ", " + "icon=" + this.icon + ", " + "status=" + this.status + ", " + "createTime="
				+ this.createTime + ", " + "updateTime=" + this.updateTime + ", " + "permissions=" + this.permissions
				+ "]";
	}

}
